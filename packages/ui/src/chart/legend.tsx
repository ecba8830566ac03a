import { Label } from '../base/label.tsx'

/** What each colour of a chart stands for, in their order. */
export function Legend({ series }: { series: readonly { key: string; name: string }[] }) {
  return (
    <ul className="hf-legend">
      {series.map(({ key, name }, at) => (
        <li key={key}>
          <span className={`hf-chart-key hf-chart-${(at % 6) + 1}`} aria-hidden />
          <Label text={name} />
        </li>
      ))}
    </ul>
  )
}

type ReadoutLine = { key: string; name: string; text: string }

/** What is said of one place of a chart with several series, under the name of the place. */
export function Readout({ title, lines }: { title: string; lines: readonly ReadoutLine[] }) {
  const isNamed = lines.length > 1
  return (
    <>
      <p className="hf-readout-title">{title}</p>
      {lines.map((line, at) => (
        <p key={line.key} className="hf-readout-line">
          {isNamed && <span className={`hf-chart-key hf-chart-${(at % 6) + 1}`} />}
          {isNamed && <span className="hf-readout-name">{line.name}</span>}
          <span className="hf-numbers">{line.text}</span>
        </p>
      ))}
    </>
  )
}
