/** Says before anything else that no hardware vouches for a receipt. */
export function SimulatedBanner() {
  return (
    <div className="note note-warn" role="note">
      <p>
        <strong>Simulated hardware.</strong> This receipt was made on a development machine. It shows how a proof looks
        and every check runs, but it proves nothing about real hardware. Do not rely on it.
      </p>
    </div>
  )
}
