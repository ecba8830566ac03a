import { IconSearch } from '../base/icons.tsx'
import { useSettledText } from './use-settled-text.ts'

const KEYWORD_LIMIT = 100

type TextFilterProps = {
  value: string
  label: string
  onChange: (text: string) => void
  maxLength?: number
  /** Wrong text is marked and not taken. */
  accept?: (text: string) => boolean
  /** A word to look for, rather than a field of its own. */
  search?: boolean
  inputMode?: 'decimal'
}

/** A text that narrows the list once it has settled. */
export function TextFilter({ value, label, onChange, maxLength = KEYWORD_LIMIT, accept, search = false, inputMode }: TextFilterProps) {
  const [text, setText] = useSettledText(value, onChange, accept)
  const isWrong = accept?.(text) === false
  const input = (
    <input
      className={isWrong ? 'hf-native-input hf-native-input-wrong' : 'hf-native-input'}
      type={search ? 'search' : 'text'}
      value={text}
      maxLength={maxLength}
      spellCheck={false}
      autoComplete="off"
      inputMode={inputMode}
      placeholder={label}
      aria-label={label}
      aria-invalid={isWrong}
      onChange={(event) => setText(event.target.value)}
    />
  )
  if (!search) return input
  return (
    <span className="hf-search-field">
      <IconSearch className="hf-faint" />
      {input}
    </span>
  )
}
