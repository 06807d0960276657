"""Show HTML, Javascript and SVG. Only plain text and PNG come out."""
# quick

from IPython.display import HTML, SVG, Javascript, display

display(HTML("<script>alert(1)</script>"), Javascript("alert(1)"))
display(SVG("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'></svg>"))
display({"text/html": "<b onclick=alert(1)>x</b>", "text/latex": "$\\href{javascript:alert(1)}{x}$"}, raw=True)
