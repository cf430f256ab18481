/** A first name for this device: what the browser says it runs on. People may change it. */
export function deviceName(): string {
  const systems: [RegExp, string][] = [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android'],
    [/Mac OS X/, 'Mac'],
    [/Windows/, 'Windows'],
    [/CrOS/, 'Chromebook'],
    [/Linux/, 'Linux'],
  ]
  return systems.find(([pattern]) => pattern.test(navigator.userAgent))?.[1] ?? 'This device'
}
