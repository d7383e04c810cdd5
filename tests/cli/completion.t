Shells can read the completion scripts.
needs: zsh fish

$ stint completion zsh >c.zsh; zsh -n c.zsh
$ stint completion fish >c.fish; fish --no-execute c.fish
