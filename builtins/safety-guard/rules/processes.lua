return { class = "processes", title = "Processes", rules = {
} }
