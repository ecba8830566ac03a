import MailComposer from 'nodemailer/lib/mail-composer'
import { isMailAddress } from './mail-address.ts'

/** One e-mail to one person, plain text. */
export type Mail = {
  /** Names it at every try: a person who gets it twice can see that it is one e-mail. */
  id: string
  to: string
  subject: string
  text: string
  writtenAtMs: number
}

/**
 * An e-mail as it goes over the wire (RFC 5322), with no header but those made here: what stands in its subject and text stays there. Throws where an address
 * is none.
 */
export async function composeMail(from: string, { id, to, subject, text, writtenAtMs }: Mail): Promise<Buffer> {
  if (!isMailAddress(from) || !isMailAddress(to) || !/^[0-9a-f-]{36}$/.test(id)) throw new Error('an e-mail goes from one address to one address, under an id')
  const composer = new MailComposer({
    from: { name: 'Holdfast', address: from },
    to: { name: '', address: to },
    subject: subject.replace(/\s+/gu, ' '),
    text,
    date: new Date(writtenAtMs),
    messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
    // RFC 3834: nobody's holiday answers this.
    headers: { 'Auto-Submitted': 'auto-generated' },
    newline: '\r\n',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return composer.compile().build()
}
