/** A text cut to a number of characters as people count them: a picture character is one, not the two a script counts. */
export function limitText(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : characters.slice(0, most).join('')
}
