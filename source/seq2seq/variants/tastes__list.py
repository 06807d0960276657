def tastes(table, sim):
    return [sim(t, t) for t in (table, table.permute(1, 0))]
