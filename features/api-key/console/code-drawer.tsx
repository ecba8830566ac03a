import { CodeField, isSixDigits } from '@holdfast/features/session/console'
import { DrawerForm, useDrawerPage } from '@holdfast/ui'
import { useState } from 'react'

/** Asks for the six digits of an authenticator app before something is sent; closes when that is done. */
export function CodeDrawer({ text, action, send }: { text: string; action: string; send: (code: string) => Promise<unknown> }) {
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
    <DrawerForm send={action} isSending={isBusy} isShut={!isSixDigits(code)} onSend={() => void go()}>
      <p>{text}</p>
      <CodeField value={code} onChange={setCode} />
    </DrawerForm>
  )
}
