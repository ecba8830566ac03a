import { encodeQR } from 'qr'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'

/** Modules of paper around a code, as cameras need them to find it. */
const BORDER = 2

/** A QR code, dark on light in both themes because many cameras need it so. */
export function Qr({ text, label, size = 184 }: { text: string; label: string; size?: number }) {
  const modules = encodeQR(text, 'raw', { border: BORDER })
  const dark = modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <div className="hf-qr" role="img" aria-label={plainText(label, LABEL_LIMIT)}>
      <svg aria-hidden width={size} height={size} viewBox={`0 0 ${modules.length} ${modules.length}`} shapeRendering="crispEdges">
        <path d={dark.join('')} fill="#11151c" />
      </svg>
    </div>
  )
}
