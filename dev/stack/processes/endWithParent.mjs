// Loaded into a program before it: ends the program when its parent is killed.
process.on('disconnect', () => process.exit(1))
process.channel?.unref() // otherwise this channel keeps a program that has stopped from ending
