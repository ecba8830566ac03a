import { QRCodeSVG } from '@rc-component/qrcode'
import { LABEL_LIMIT, plainText } from '../format/hostile-text.ts'

/** A QR code, dark on light in both themes because many cameras need it so. */
export function Qr({ text, label, size = 184 }: { text: string; label: string; size?: number }) {
  return (
    <div className="hf-qr" role="img" aria-label={plainText(label, LABEL_LIMIT)}>
      <div aria-hidden>
        <QRCodeSVG value={text} size={size} fgColor="#11151c" bgColor="#ffffff" level="M" marginSize={2} />
      </div>
    </div>
  )
}
