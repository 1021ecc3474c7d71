return { class = "files", title = "Files that matter", rules = {
} }
