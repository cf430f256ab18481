// Loaded into a program before it: whoever started it may be killed, and nobody else would end it.
process.on('disconnect', () => process.exit(1))
process.channel?.unref() // or this very channel would keep a program that has stopped from ending
