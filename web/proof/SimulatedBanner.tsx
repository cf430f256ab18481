import { Note } from '../components/Note.js'

const words =
  'This receipt was made on a development machine. It shows how a proof looks and every check runs, but it proves nothing about real hardware. Do not rely on it.'

/** Says before anything else that no hardware vouches for a receipt. */
export const SimulatedBanner = () => <Note tone="warn" role="note" title="Simulated hardware." text={words} />
