import { openBeside } from '../stack/openBeside.js'
import { openPerson } from '../stack/openPerson.js'
import type { BenchStack } from '../stack/openStack.js'
import { addProofs, someCopies } from '../../tests/rigs/addProofs.js'

/** A service beside the stack's that already holds this many proofs, and the slugs of some of them. */
export async function openGrown(stack: BenchStack, proofs: number, slugs: number) {
  const { database, url, close } = await openBeside(stack)
  try {
    const person = await openPerson(stack, { url, database })
    await person.whenComplete(await person.sign())
    await addProofs(database, proofs)
    return { person, copies: await someCopies(database, slugs), close }
  } catch (error) {
    await close()
    throw error
  }
}

export type Grown = Awaited<ReturnType<typeof openGrown>>
