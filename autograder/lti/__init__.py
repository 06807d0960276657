"""Learning platforms by LTI 1.3 Advantage: the class comes from the platform, final marks go into its gradebook.

    settings   lti.toml and the folder .lti: how course and platform know each other
    launch     `workbook connect`: the platform signs an instructor in, and names the addresses of roster and columns
    service    all requests to a platform: the course's key, token, retries, limits, pages
    roster     `workbook roster`: the platform's list (NRPS), matched with students.csv
    outbox     which final marks there are, and the journal of those that were sent
    marks      `workbook send`: columns, marks and results of a platform (AGS)

    launch -> roster -> service -> settings      marks -> service      roster, marks -> outbox -> settings

`connect` answers the instructor's browser for ten minutes; afterwards all requests go out, by https. This needs the
extra `lti` (requests, PyJWT, cryptography); `settings` and `outbox` work without it, and so does `workbook status`.
Specifications of 1EdTech: LTI Core 1.3, Security Framework 1.0, Names and Role Provisioning Services 2.0 (NRPS),
Assignment and Grade Services 2.0 (AGS).
"""
