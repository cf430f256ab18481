import type { Logger } from 'typeorm'
import { expect, test } from 'vitest'
import { useChainRig } from '../../../tests/rigs/publishing/useChainRig.js'

const rig = useChainRig()

test('a proof looks for its slot once, and follows the one that it is given', async () => {
  const { slug } = await rig.pinned()
  const asked: string[] = []
  const { logger } = rig.database
  rig.database.logger = { logQuery: (text: string) => void asked.push(text) } as unknown as Logger
  try {
    await rig.publish(slug)
  } finally {
    rig.database.logger = logger
  }
  expect(asked.filter((text) => text.includes('FROM "publisher_slots" "slot"'))).toHaveLength(1)
})
