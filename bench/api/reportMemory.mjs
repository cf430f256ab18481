// Loaded into the measured API before it: answers its parent with its memory.
process.on('message', (what) => {
  if (what === 'collect') for (let i = 0; i < 3; i++) globalThis.gc()
  const { rss, heapUsed } = process.memoryUsage()
  process.send({ rssMb: rss / 2 ** 20, heapMb: heapUsed / 2 ** 20 })
})
