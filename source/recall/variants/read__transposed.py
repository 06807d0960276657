def read(table, q):
    return (table.mT @ q.mT).mT
