const key = 'perigee.signed-in'

/**
 * Remembers whether somebody signed in with this browser. The session is a cookie that scripts cannot read; this only
 * saves a stranger's proof page a request that would answer 401.
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
