"""Everything that the notebooks import: data, models, training, figures, and the checks of your answers.

The solutions are not here. Each part that you will write is a scaffold that raises `NotImplementedError`; the other
modules work with the class or the function that you write in the notebook.

    modules under the field's common names, so that code written elsewhere runs; each says where its content is
        coco_utils.py                      load_coco_data, sample_coco_minibatch, decode_captions
        image_utils.py                     image_from_url
        gradient_check.py                  eval_numerical_gradient, rel_error, ...
        transformer_layers.py              MultiHeadAttention, PositionalEncoding, decoder layers, install
        transformer.py                     CaptioningModel, CaptioningTransformer
        captioning_solver_transformer.py   CaptioningSolverTransformer
        attention_utils.py                 Lang, readLangs, filterPairs, SOS_token, ...
    version.py      the version that a notebook needs
    download.py     python -m utils.download coco|tatoeba
    attention/      sequences of triangles and rectangles
    captioning/     descriptions of pictures
    seq2seq/        translation from French to English
    gpt/            a small language model that reads and writes tales
    recall/         guests and rooms, and a porter whose memory is exchanged
    checks/         how checks are run, judged, named and shown; of no lesson
    drawings/       the canvas of the lessons' diagrams
    alive/          explorers that live in the browser: their pages, and how networks travel into them
    common/         shared by all folders above: errors, messages, progress, figures' style, beam search
    locale/         compiled translations of what lessons share
    fonts/          small fonts for languages whose letters a computer may lack

A lesson is a folder: its checks, small cases, diagrams, figures, data, models, its explorer with the page (`page/`),
and what the instructors' build generates: `answers.json`, `cases.json`, `outline.json` and its translations, `*.mo`.
A module imports from its own folder and from folders further down this list, never up, and no lesson imports another.

One letter means one length, in every shape of every lesson:

    N  items of a batch: sequences, sentences, pictures; rows of a table
    S  positions of the target: words that are written, positions of queries
    T  positions of the source: words that are read, positions of keys and values, points of a sequence
    V  words of the vocabulary
    E  width: components of each vector inside a network
    D  feature width: components of each vector that attention reads (an encoder's state, a picture's features, the
       channels that enter the layer), and so of the context that it returns
    C  channels of a sequence as it enters a network
    d  components of a query and of a key; with several heads d = E/H
    H  heads
    F  hidden units of a feed-forward part
    J  rows of a picture's points
    U  columns of a picture's points
    G  components of the recurrent decoder's state
    R  components of the hidden layer of the additive score
    L  layers
    M  rows of a second table: of positions, or of the vectors with which a first table's N rows are compared
    B  bits of a position

    A  is the matrix of attention weights, W one of weights that are learned, P the table of positions; Q, K and V are
       queries, keys and values, in formulas only. Small letters with an index (h_t, s_i, c_i) are vectors.
"""
