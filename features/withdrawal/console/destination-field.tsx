import './withdrawal.css'
import type { PaymentCode } from '@holdfast/chain-core/payment-code'
import { usePaymentCodes } from '@holdfast/features/address-book/console'
import { Button, Field, IconScan, Label } from '@holdfast/ui'
import { type ClipboardEvent, type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Coin } from './draft.ts'
import { isPaymentCode, readDestination } from './read-destination.ts'
import { type Suggestion, useSuggestions } from './whom/use-suggestions.ts'

/** The coin as the field needs it. */
export type PaidCoin = Pick<Coin, 'chain' | 'network' | 'symbol' | 'contract_address'>

type DestinationFieldProps = {
  label: string
  value: string
  /** What is wrong with the address, as far as the field does not see that by itself. */
  error?: string | undefined
  /** The sub-wallet that pays: it is not suggested, as nobody pays to themselves. */
  fromId: string
  coin: PaidCoin | undefined
  /** What else the wallet can pay with, for an address that is of another network. */
  coins?: readonly PaidCoin[]
  onChange: (text: string) => void
  /** A contact or a sub-wallet of the organisation was chosen. */
  onTake: (destination: { address: string; memo: string }) => void
  /** A payment code was scanned or pasted. Its address has been checked no more than one that is typed. */
  onCode: (code: PaymentCode) => void
  onSwitch?: (coin: PaidCoin) => void
  /** What can be entered is said beside it already. */
  isKnown?: boolean
}

/**
 * Whom a payment goes to: an address, a contact, a sub-wallet of the organisation, or a payment code, typed, pasted or scanned. Says of what is no address of
 * the network what it is.
 */
export function DestinationField({
  label,
  value,
  error,
  fromId,
  coin,
  coins = [],
  onChange,
  onTake,
  onCode,
  onSwitch,
  isKnown = false,
}: DestinationFieldProps) {
  const { t } = useTranslation()
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [isLeft, setLeft] = useState(value !== '')
  const [reached, setReached] = useState(0)
  const read = readDestination(value, coin)
  const hasHint = value === '' && !isKnown
  const mayBeName = read.kind === 'empty' || read.kind === 'unknown'
  const { suggestions, isEarlier, take } = useSuggestions({ text: read.kind === 'unknown' ? value.trim() : '', fromId, coin, onTake })
  const isListed = isOpen && mayBeName && suggestions.length > 0
  const at = Math.min(reached, suggestions.length - 1)
  const codes = usePaymentCodes(coin && { chain: coin.chain, contract: coin.contract_address, network: coin.network }, onCode)
  const said = useFault(read, coin, isLeft && !(isListed && read.kind === 'unknown'))
  const wrong = said ?? error
  const offered = read.kind === 'other' ? coins.find((each) => each.contract_address === null && readDestination(value, each).kind === 'address') : undefined
  const pick = (suggestion: Suggestion) => {
    setOpen(false)
    void take(suggestion)
  }
  const type = (text: string) => {
    onChange(text)
    setOpen(true)
    setReached(0)
    setLeft(false)
  }
  const leave = () => {
    setOpen(false)
    setLeft(value.trim() !== '')
    if (isPaymentCode(value)) codes.take(value)
  }
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text')
    if (!isPaymentCode(text) || codes.take(text) !== undefined) return
    event.preventDefault()
    setOpen(false)
  }
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (!isListed) {
      if (event.key === 'ArrowDown') setOpen(true)
      return
    }
    const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1 + suggestions.length }
    const to = steps[event.key]
    const chosen = suggestions[at]
    if (to !== undefined) setReached(to % suggestions.length)
    else if (event.key === 'Enter' && chosen) {
      // Nobody is taken by a key who does not match what is typed by now.
      if (!isEarlier) pick(chosen)
    } else if (event.key === 'Escape') setOpen(false)
    else return
    event.preventDefault()
  }
  return (
    <div className="hf-destination-field">
      <Field id={id} label={label} error={wrong} hint={hasHint ? t('withdrawal.to.hint') : undefined}>
        <span className="hf-input-with-suffix">
          <input
            id={id}
            type="text"
            role="combobox"
            className={`hf-native-input${wrong === undefined ? '' : ' hf-native-input-wrong'}${mayBeName ? '' : ' hf-mono'}`}
            value={value}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            aria-invalid={wrong !== undefined}
            aria-describedby={wrong !== undefined ? `${id}-error` : hasHint ? `${id}-hint` : undefined}
            aria-autocomplete="list"
            aria-expanded={isListed}
            aria-controls={isListed ? `${id}-list` : undefined}
            aria-activedescendant={isListed ? `${id}-${at}` : undefined}
            onChange={(event) => type(event.target.value)}
            onFocus={() => setOpen(true)}
            onBlur={leave}
            onPaste={paste}
            onKeyDown={onKey}
          />
          <span className="hf-input-suffix">
            {coin && (
              <Button size="small" variant="quiet" icon={<IconScan />} onClick={codes.scan}>
                {t('withdrawal.to.scan')}
              </Button>
            )}
          </span>
        </span>
      </Field>
      {isListed && <Suggestions {...{ id, suggestions, at }} onReach={setReached} onPick={pick} />}
      {offered && onSwitch && (
        <div>
          <Button size="small" onClick={() => onSwitch(offered)}>
            {t('withdrawal.to.switch', { symbol: offered.symbol, network: offered.network })}
          </Button>
        </div>
      )}
    </div>
  )
}

type SuggestionsProps = {
  id: string
  suggestions: readonly Suggestion[]
  at: number
  onReach: (index: number) => void
  onPick: (suggestion: Suggestion) => void
}

function Suggestions({ id, suggestions, at, onReach, onPick }: SuggestionsProps) {
  const { t } = useTranslation()
  return (
    <div id={`${id}-list`} className="hf-popup hf-destination-list" role="listbox" aria-label={t('withdrawal.to.suggestions')}>
      {suggestions.map((suggestion, index) => (
        // The keys are those of the field (the ARIA combobox pattern).
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
        <div
          key={suggestion.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          className={index === at ? 'hf-picker-option hf-picker-reached' : 'hf-picker-option'}
          // The field keeps the focus, so that the list is not gone before it is clicked.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onPointerMove={() => index !== at && onReach(index)}
          onClick={() => onPick(suggestion)}
        >
          <span className="hf-picker-value">
            <Label text={suggestion.name} />
          </span>
          <span className="hf-small hf-muted">
            <Label text={suggestion.detail ?? t(`withdrawal.to.kind.${suggestion.kind}`)} />
          </span>
        </div>
      ))}
    </div>
  )
}

/** What stands in the field where that is no address of the network, in words; half-typed words are left alone until the field is left. */
function useFault(read: ReturnType<typeof readDestination>, coin: PaidCoin | undefined, isLeft: boolean): string | undefined {
  const { t } = useTranslation()
  const { t: scanned } = useTranslation('whiteAddress')
  const network = coin?.network ?? ''
  switch (read.kind) {
    case 'other':
      return t(`withdrawal.to.fault.${read.family}`, { network })
    case 'name':
      return isLeft ? t('withdrawal.to.fault.name') : undefined
    case 'unseen':
      return t('withdrawal.to.fault.unseen', { at: read.at, character: read.character })
    case 'code':
      return isLeft ? scanned(`scan.fault.${read.fault}`, { network, name: read.name }) : undefined
    case 'unknown':
      return isLeft ? t('withdrawal.to.fault.unknown', { network }) : undefined
    default:
      return undefined
  }
}
