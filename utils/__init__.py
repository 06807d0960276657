"""Everything that the notebooks import: data, models, training, figures, and the checks of your answers.

It holds no solutions. What you are to write stands here as a scaffold that raises `NotImplementedError`; everything
around it works with the class or the function that you write in the notebook.

    the names that the field knows, so that code written elsewhere runs; each says where its content is
        coco_utils.py                      load_coco_data, sample_coco_minibatch, decode_captions
        image_utils.py                     image_from_url
        gradient_check.py                  eval_numerical_gradient, rel_error, ...
        transformer_layers.py              MultiHeadAttention, PositionalEncoding, decoder layers, install
        transformer.py                     CaptioningModel, CaptioningTransformer
        captioning_solver_transformer.py   CaptioningSolverTransformer
        attention_utils.py                 Lang, readLangs, filterPairs, SOS_token, ...
    version.py      the version that a notebook asks for
    download.py     python -m utils.download coco|tatoeba
    checks/         what `check.<gap>(...)` asks, and how it judges
    drawings/       the lessons' diagrams
    shapes1d/       lesson attention: sequences of triangles and rectangles, training, figures
    captioning/     lesson captioning: layers, model, writing captions, scores, figures
    translation/    lesson seq2seq: vocabularies, batches, model, training, scores, figures
    scenes/         pictures of coloured shapes with captions, drawn here: captioning without a download
    french/         French-English sentence pairs, made by a grammar here: seq2seq without a download
    coco/           reading the files of COCO's captioned pictures, or of others in their form
    common/         what all of them share: errors, messages, progress, figures' style, beam search
    locale/         translations of the messages, compiled
    fonts/          small fonts for languages whose letters a computer may lack

Arrows point down this list: a module imports from its own folder and from folders further down, never up. Of the
checks, those of a lesson may ask anything of it; the machinery that all of them share imports `common/` alone.

One letter stands for one length, in every shape of every lesson:

    N  items of a batch: sequences, sentences, pictures; rows of a table
    S  places of the target: words that are written, positions that look
    T  places of the source: words that are read, positions that are looked at, points of a sequence
    V  words of the vocabulary
    E  width: components of each vector inside a network
    D  feature width: components of what attention is given to look at (an encoder's state, a picture's features, the
       channels that enter the layer), and so of the context that it returns
    C  channels of a sequence as it enters a network
    d  components of a query and of a key; with several heads d = E/H
    H  heads
    G  components of the recurrent decoder's state
    R  components of the hidden layer of the additive score
    L  layers
    M  rows of a second table: of positions, or of what the first table's N rows are compared with
    B  bits of a position

    A  is the matrix of attention weights, W one of weights that are learned, P the table of positions; Q, K and V are
       queries, keys and values, in formulas only. Small letters with an index (h_t, s_i, c_i) are vectors.
"""
