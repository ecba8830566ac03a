/** An address in short, 6 characters at each end, for lists only. What is short already stays whole. */
export function shortAddress(address: string): string {
  const characters = [...address]
  if (characters.length <= 14) return address
  return `${characters.slice(0, 6).join('')}…${characters.slice(-6).join('')}`
}

/** Text in groups of four, so that people compare all of it and not only its ends. `0x` stands alone. The groups joined are the text again. */
export function groupsOfFour(text: string): string[] {
  const prefix = text.startsWith('0x') ? '0x' : ''
  return [prefix, ...(text.slice(prefix.length).match(/.{1,4}/gu) ?? [])].filter((part) => part !== '')
}
