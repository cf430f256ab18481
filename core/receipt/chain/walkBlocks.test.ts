import { expect, test } from 'vitest'
import { ServiceError } from '../../errors/index.js'
import { walkBlocks, type BlockRange, type BlockWalk } from './walkBlocks.js'

/** A node that answers for at most this many blocks. */
function createNode(most: number) {
  const node = { calls: 0, atOnce: 0, mostAtOnce: 0, answered: [] as BlockRange[] }
  const read = async (range: BlockRange) => {
    node.calls += 1
    node.mostAtOnce = Math.max(node.mostAtOnce, ++node.atOnce)
    await Promise.resolve()
    node.atOnce -= 1
    if (range.toBlock - range.fromBlock + 1 > most) throw new ServiceError('chain_unavailable', 'range too long')
    node.answered.push(range)
    return range
  }
  return { node, read }
}

async function walked(walk: BlockWalk, read: (range: BlockRange) => Promise<BlockRange>): Promise<BlockRange[]> {
  const found: BlockRange[] = []
  for await (const window of walkBlocks(walk, read)) found.push(window.found)
  return found
}

test('asks once for all blocks', async () => {
  const { node, read } = createNode(Infinity)
  expect(await walked({ fromBlock: 7, toBlock: 40_000_000 }, read)).toEqual([{ fromBlock: 7, toBlock: 40_000_000 }])
  expect(node.calls).toBe(1)
  expect(await walked({ fromBlock: 8, toBlock: 7 }, read)).toEqual([])
})

test.each([10, 1000, 5000, 10_000])(
  'reads every block once, in order, from a node that takes %i at a time',
  async (most) => {
    const { node, read } = createNode(most)
    const toBlock = most * 400
    const windows = await walked({ fromBlock: 3, toBlock }, read)
    let next = 3
    for (const window of windows) {
      expect(window.fromBlock).toBe(next)
      next = window.toBlock + 1
    }
    expect(next).toBe(toBlock + 1)
    expect(node.mostAtOnce).toBe(4)
    // Halving wastes up to half of a window; finding the size, and trying longer ones, costs few calls.
    expect(windows.length).toBeLessThan(801)
    expect(node.calls - windows.length).toBeLessThan(40)
  },
)

test('says how far a long search has got, and nothing about a short one', async () => {
  const lines: string[] = []
  const onProgress = (line: string) => lines.push(line)
  await walked({ fromBlock: 0, toBlock: 999, onProgress }, createNode(300).read)
  expect(lines).toEqual([])
  await walked({ fromBlock: 0, toBlock: 9_999, onProgress }, createNode(300).read)
  expect(lines[0]).toMatch(/^ {2}searched up to block \d+ of 9999$/)
})

test('ends with an error when the reader’s patience does: what was not searched is not empty', async () => {
  const patience = new AbortController()
  const { read } = createNode(100)
  const walk = { fromBlock: 0, toBlock: 10_000, signal: patience.signal }
  const windows: number[] = []
  await expect(async () => {
    for await (const { toBlock } of walkBlocks(walk, read)) {
      windows.push(toBlock)
      if (toBlock > 5000) patience.abort()
    }
  }).rejects.toMatchObject({ code: 'chain_unavailable', facts: { toBlock: 10_000 } })
  expect(windows.length).toBeGreaterThan(10)
})

test('asks again alone for a short window that was refused among others', async () => {
  let refused = 0
  const { node, read } = createNode(10)
  const busy = async (range: BlockRange) => {
    if (node.atOnce === 3 && refused++ === 0) throw new ServiceError('chain_unavailable', 'too many requests')
    return read(range)
  }
  expect((await walked({ fromBlock: 0, toBlock: 199 }, busy)).at(-1)?.toBlock).toBe(199)
  expect(refused).toBeGreaterThan(0)
})
