module perigee.invalid/kubo

go 1.25

require github.com/ipfs/kubo v0.42.0
