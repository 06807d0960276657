"""The site that anybody may read: `make site` writes lessons and docs as static pages, in each language.

    make          texts -> Sphinx -> a folder of pages, which is looked at before it is handed over
    documents     README and docs, as pages
    lessons       a lesson as a page: released cells, and what they show with the reference in the gaps
    outputs       that run, kept until what it came from changes
    extension     formulas, Chinese search, the switch of languages: what Sphinx has not
    inspection    no broken link, nothing from another host, no picture without words, nothing private
    private       the lines of solutions, model answers and hidden tests, looked for in every byte
    theme/        what a page has besides furo's theme

make -> lessons -> outputs        make -> inspection -> private -> documents

Nothing of a submission or a course is known here.
"""
