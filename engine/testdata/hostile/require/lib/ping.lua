return require("pong")
