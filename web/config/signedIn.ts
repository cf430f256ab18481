const key = 'perigee.signed-in'

/**
 * Notes whether somebody is signed in with this browser. The session itself is a cookie that no script can read; this
 * only spares a stranger's proof page a question whose answer would be 401.
 */
export function rememberSignedIn(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(key, 'yes')
    else localStorage.removeItem(key)
  } catch {
    // Storage is forbidden: then no page asks.
  }
}

export function mayBeSignedIn(): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}
