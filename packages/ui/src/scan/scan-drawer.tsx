import { at } from '@holdfast/units'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../base/button.tsx'
import { Note } from '../feedback/note.tsx'
import { useDrawerPage } from '../drawer/drawer-context.ts'
import { DrawerBody, DrawerFooter } from '../drawer/drawer-parts.tsx'
import { FileChooser } from '../field/file-chooser.tsx'
import { CameraView } from './camera-view.tsx'
import type { ScanProps } from './open-scan-drawer.tsx'
import { readPicture } from './read-qr.ts'

/** Reads a QR code with the camera, from a picture, or from one that is pasted. It closes when a text is taken; one that is not, it says why. */
export function ScanDrawer({ take }: ScanProps) {
  const { t } = useTranslation()
  const { close } = useDrawerPage()
  const [wrong, setWrong] = useState<string>()
  const [isTaken, setTaken] = useState(false)
  const offer = (text: string) => {
    if (isTaken) return
    const fault = take(text)
    setWrong(fault)
    if (fault !== undefined) return
    setTaken(true)
    close()
  }
  const read = async (file: File | undefined) => {
    if (!file) return
    const texts = await readPicture(file)
    if (texts?.length === 1) offer(at(texts, 0))
    else setWrong(t(texts === undefined ? 'ui.scan.noPicture' : texts.length === 0 ? 'ui.scan.noCode' : 'ui.scan.several'))
  }
  const onPaste = useEffectEvent((event: ClipboardEvent) => void read(event.clipboardData?.files[0]))
  useEffect(() => {
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
  return (
    <>
      <DrawerBody>
        <div className="hf-stack" aria-live="polite">
          {/* The camera is let go at once, not when the page has slid out. */}
          {!isTaken && <CameraView onText={offer} />}
          {wrong !== undefined && <Note tone="bad">{wrong}</Note>}
        </div>
        <label className="hf-stack-tight">
          <span className="hf-label">{t('ui.scan.picture')}</span>
          <FileChooser accept="image/*" onFile={(file) => void read(file)} />
        </label>
        <p className="hf-small hf-muted">{t('ui.scan.paste')}</p>
      </DrawerBody>
      <DrawerFooter>
        <Button onClick={() => close()}>{t('ui.drawer.close')}</Button>
      </DrawerFooter>
    </>
  )
}
