import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useMoneyMoves } from '../format/money-moves.ts'
import { groupsOfFour, shortAddress } from '../format/short-address.ts'
import { CopyButton } from './copy-button.tsx'

/** Text in groups of four that wraps between groups; selecting it gives the text without spaces. */
export function Grouped({ text }: { text: string }) {
  return (
    <span className="hf-grouped" translate="no">
      {groupsOfFour(text).map((group, at) => (
        <Fragment key={at}>
          <span className="hf-group">{group}</span>
          <wbr />
        </Fragment>
      ))}
    </span>
  )
}

type AddressProps = {
  address: string
  /** What to say when it was copied, such as which coin and network it is for. */
  copyMessage?: string
  copyIsWarning?: boolean
}

/** A whole address in groups of four, with a button that copies it exactly. For places where money moves. */
export function Address({ address, copyMessage, copyIsWarning }: AddressProps) {
  const { t } = useTranslation()
  return (
    <span className="hf-address">
      <Grouped text={address} />
      <CopyButton
        text={address}
        label={t('ui.copy.address')}
        {...(copyMessage === undefined ? {} : { message: copyMessage })}
        {...(copyIsWarning ? { isWarning: true } : {})}
      />
    </span>
  )
}

/** An address in short, 6 + 6, with the whole one on hover. For lists only: where money moves it is the whole one all the same. */
export function ShortAddress({ address }: { address: string }) {
  if (useMoneyMoves()) return <Grouped text={address} />
  return (
    <span className="hf-mono hf-nowrap" title={address} translate="no">
      {shortAddress(address)}
    </span>
  )
}
