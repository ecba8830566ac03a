import { shortenHex } from './shorten-hex.ts'

/** A policy in words, a line for each thing it decides. Long hexadecimal values are shown by their ends, whole on hover. */
export function PolicyWords({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="hf-policy">
      {lines.map((line, at) => (
        <li key={at}>
          {shortenHex(line).map((part, index) =>
            part.whole === undefined ? (
              part.text
            ) : (
              <code key={index} title={part.whole}>
                {part.text}
              </code>
            ),
          )}
        </li>
      ))}
    </ul>
  )
}
