/** An address in groups of four characters, so that people compare all of it and not only its ends. */
export function groupAddress(address: string): string {
  const prefix = address.startsWith('0x') ? '0x' : ''
  const rest = address.slice(prefix.length)
  return [prefix, ...(rest.match(/.{1,4}/gu) ?? [])].filter((part) => part !== '').join(' ')
}
