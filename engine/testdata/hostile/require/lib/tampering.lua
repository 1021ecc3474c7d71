evil, table, type = "evil", nil, nil
return true
