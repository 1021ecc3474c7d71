return { class = "permissions", title = "Permissions and ownership", rules = {
} }
