import { avatarColour, avatarLetter } from '../format/avatar.ts'

/** The first letter of a name on the letter's colour. Beside the name itself, so it says nothing to a screen reader. */
export function Avatar({ name, size = 32 }: { name: string; size?: number }) {
  return (
    <span className="hf-avatar" aria-hidden style={{ background: avatarColour(name), width: size, height: size, fontSize: Math.round(size * 0.44) }}>
      {avatarLetter(name)}
    </span>
  )
}
