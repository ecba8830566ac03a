import type { MailLanguage } from '../contract.ts'

/** What stands around what an e-mail says. `organisation` is inert already. */
export const mailFrame: Record<MailLanguage, { from: (organisation: string) => string; end: string }> = {
  'en-US': {
    from: (organisation) => `This is about the organisation “${organisation}”.`,
    end: 'Holdfast never asks for a password, a code or a key by e-mail. Where you get these e-mails, and whether, you choose in the console under “Settings”, “E-mail alerts”.',
  },
  'zh-CN': {
    from: (organisation) => `此邮件涉及组织“${organisation}”。`,
    end: 'Holdfast 绝不会通过邮件索要密码、验证码或密钥。是否接收此类邮件以及接收地址，可在控制台“设置”的“邮件提醒”中设置。',
  },
}
