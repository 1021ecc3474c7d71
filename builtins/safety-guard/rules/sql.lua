return { class = "sql", title = "SQL", rules = {
} }
