import { useTranslation } from 'react-i18next'
import { disguiseOf, piecesOf, plainText } from '../format/hostile-text.ts'
import { IconWarning } from './icons.tsx'

const SHORT_LIMIT = 240
const WRAPPED_LIMIT = 2000
const HOVER_LIMIT = 4000

type LabelProps = {
  text: string
  /** Takes as many lines as it needs. Where absent it keeps to one line and to the room there is, with the whole on hover. */
  wrap?: boolean | undefined
}

/**
 * A name or a remark that somebody wrote, or a token calls itself: kept apart from the text around it, whatever its direction;
 * what is invisible in it is shown; letters of two alphabets in one word are pointed out; it never leaves its place.
 */
export function Label({ text, wrap }: LabelProps) {
  const disguise = disguiseOf(text)
  return disguise === undefined ? <Shown text={text} wrap={wrap} /> : <Disguised text={text} wrap={wrap} disguise={disguise} />
}

/** Apart from `Label`, because nearly no name needs the words, and to have them in every row of a table is dear. */
function Disguised({ disguise, ...props }: LabelProps & { disguise: 'mixed' | 'styled' }) {
  const { t } = useTranslation()
  return <Shown {...props} warning={t(`ui.label.${disguise}`)} />
}

function Shown({ text, wrap, warning }: LabelProps & { warning?: string }) {
  const { pieces, isCut } = piecesOf(text, wrap ? WRAPPED_LIMIT : SHORT_LIMIT)
  const whole = plainText(text, HOVER_LIMIT)
  return (
    <bdi className={wrap ? 'hf-name hf-name-wrap' : 'hf-name'} title={warning === undefined ? whole : `${whole}\n${warning}`} translate="no">
      {warning !== undefined && (
        <>
          <IconWarning className="hf-name-warning" />
          <span className="hf-visually-hidden">{`${warning} `}</span>
        </>
      )}
      {pieces.map((piece, at) =>
        'text' in piece ? (
          piece.text
        ) : (
          <span key={at} className="hf-hidden-character">
            {piece.times > 1 ? `${piece.hidden}×${piece.times}` : piece.hidden}
          </span>
        ),
      )}
      {isCut && '…'}
    </bdi>
  )
}
