export function encodePem(der: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...der)).replace(/.{1,64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`
}
