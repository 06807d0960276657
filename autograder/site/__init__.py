"""The site that anybody may read: `make site` writes lessons and docs as static pages, in each language.

    make          runs lessons, collects the texts, lets Sphinx build the pages, inspects them, puts them in place
    documents     README and docs as pages
    lessons       a lesson as a page: the released cells, and the outputs of a run with the reference in the gaps
    explorers     the lessons' explorers as pages of their own, and in frames
    outputs       the run of a lesson, kept until anything the run depends on changes
    conf          Sphinx's configuration
    extension     added to Sphinx: formulas without a script, a search for Chinese, links to the other languages
    inspection    no broken link, nothing from another host, no picture without alternative text, nothing private
    private       the lines of solutions, model answers and hidden tests, searched for in every file
    slides        the lessons' drawings as files for slides: `make slides`
    theme/        templates and styles that are added to the theme furo

make -> lessons -> outputs        make -> inspection -> private -> documents        extension -> documents

`outputs` and `lessons` are ours, because jupyter-cache (1.0.1) keeps a run as long as the code of the cells stays the
same, even when a module they load changes, and because myst-nb (1.4) shows the cells that were run, which here have the
solutions, and gives all pictures of a cell one alternative text.

Nothing here imports code for submissions or courses.
"""
