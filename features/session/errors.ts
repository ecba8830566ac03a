import { defineErrors, entry } from '@holdfast/contract'

/** Refusals about signing in, joining and what a person proves itself with. */
export const sessionErrors = defineErrors({
  organisation_suspended: entry(
    '110924',
    'not-permitted',
    'Your access to this organisation is suspended. Ask its owner to restore it.',
    '您在该组织的访问权限已被停用。请联系组织所有者恢复。',
  ),
  registration_failed: entry(
    '110160',
    'toast',
    'The registration did not complete. Start it again from the invitation link.',
    '注册未完成。请从邀请链接重新开始。',
  ),
  sign_in_refused: entry(
    '300015',
    'toast',
    'These details do not match. Check what you entered and try again, or sign in with a passkey.',
    '登录信息不匹配。请检查后重试，或使用通行密钥登录。',
  ),
  invite_invalid: entry('300016', 'toast', 'This invitation is no longer valid. Ask an administrator for a new one.', '该邀请已失效。请联系管理员重新发送。'),
  challenge_expired: entry('300017', 'toast', 'This took too long or has already been used. Start again.', '操作已超时或已被使用。请重新开始。'),
  passkey_refused: entry(
    '300018',
    'toast',
    'This passkey could not be accepted here. Use the one you registered for this console, with screen lock or PIN.',
    '无法使用此通行密钥。请使用在本控制台注册的通行密钥，并通过锁屏或 PIN 验证。',
  ),
  totp_refused: entry(
    '300019',
    'toast',
    'The six-digit code is wrong or has already been used. Wait for the next code and enter that one.',
    '六位验证码不正确或已使用。请等待下一个验证码后输入。',
  ),
  password_too_weak: entry(
    '300021',
    'toast',
    'This password is too easy to guess: {reason}. Use at least 12 characters; several unrelated words work well.',
    '密码过于简单：{reason}。请至少使用 12 个字符，几个互不相关的词即可。',
  ),
  last_method: entry(
    '300023',
    'toast',
    'This is your last sign-in method. Add another one before you remove it.',
    '这是最后一种登录方式。请先注册另一种方式再移除。',
  ),
  sign_in_again: entry(
    '300025',
    'toast',
    'Sign-in methods can be changed only within ten minutes of signing in. Sign out, sign in again, and retry.',
    '登录方式只能在登录后十分钟内修改。请退出并重新登录后再试。',
  ),
})
