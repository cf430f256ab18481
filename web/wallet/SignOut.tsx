import { useService } from '@perigee/sdk'
import { Note } from '../components/Note.js'

/** The result is kept above the provider, because `logout` clears the page whether or not it succeeds. */
export interface SignOutProps {
  onSignOut: (failed: boolean) => void
}

/** Who is signed in, and the way out. */
export function SignOut({ onSignOut }: SignOutProps) {
  const { user } = useService()
  return (
    <>
      <span className="person">{user?.email}</span>
      <SignOutButton onSignOut={onSignOut}>Sign out</SignOutButton>
    </>
  )
}

/** A session that outlives its page must not look like one that has ended: the next person here would have it. */
export function SignOutFailed({ onSignOut }: SignOutProps) {
  return (
    <Note tone="bad" role="alert" title="Signing out failed." text="You may still be signed in in this browser.">
      <SignOutButton onSignOut={onSignOut}>Sign out again</SignOutButton>
    </Note>
  )
}

function SignOutButton({ onSignOut, children }: SignOutProps & { children: string }) {
  const { logout } = useService()
  const signOut = () =>
    logout().then(
      () => onSignOut(false),
      () => onSignOut(true),
    )
  return (
    <button type="button" className="button quiet" onClick={() => void signOut()}>
      {children}
    </button>
  )
}
