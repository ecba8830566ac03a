import { CodeField, isSixDigits } from '@holdfast/features/session/console'
import { Button, DrawerBody, DrawerFooter, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Asks for the six digits of an authenticator app before something is sent; closes when that is done. */
export function CodeDrawer({ text, action, send }: { text: string; action: string; send: (code: string) => Promise<unknown> }) {
  const { t: common } = useTranslation()
  const { close } = useDrawerPage()
  const [code, setCode] = useState('')
  const [isBusy, setBusy] = useState(false)
  const go = async () => {
    setBusy(true)
    try {
      await send(code)
      close()
    } catch {
      // What was refused is said where all refusals are; another code can be given.
      setBusy(false)
      setCode('')
    }
  }
  return (
    <>
      <DrawerBody>
        <p>{text}</p>
        <CodeField value={code} onChange={setCode} />
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{common('ui.confirm.cancel')}</Button>
        <Button variant="primary" disabled={!isSixDigits(code)} loading={isBusy} onClick={() => void go()}>
          {action}
        </Button>
      </DrawerFooter>
    </>
  )
}
