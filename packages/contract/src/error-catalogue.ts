import { type ErrorEntry, entry } from './error-entry.ts'
import { transferErrors } from './transfer-errors.ts'

/**
 * Every refusal the product can give. A business refusal is answered with HTTP 200, as the envelope convention wants;
 * another status appears only where the request did not reach a business rule.
 */
export const errorCatalogue = {
  // Requests and the system
  system_error: entry(
    '100001',
    'toast',
    'Something went wrong on our side. Nothing was changed by this message; check the list before you try again. Reference: {request_id}.',
    '系统出现异常。请先在列表中确认操作是否已生效，再决定是否重试。参考编号：{request_id}。',
    500,
  ),
  invalid_parameters: entry('100004', 'toast', 'Check "{field}": {reason}. Correct it and send again.', '请检查“{field}”：{reason}。修改后重新提交。'),
  signature_check_failed: entry(
    '100005',
    'toast',
    'The signature does not match the request. Check the key and what was signed, then send again.',
    '签名校验失败。请检查密钥和签名内容后重新提交。',
  ),
  invalid_ip: entry(
    '100007',
    'toast',
    "This IP address is not on the allowed list. Add it to the key's list or send from an allowed address.",
    '当前 IP 不在允许列表中。请将其加入该密钥的列表，或从允许的地址发起请求。',
  ),
  rate_limited: entry('300006', 'toast', 'Too many requests. Wait {retry_after} seconds and try again.', '请求过于频繁。请等待 {retry_after} 秒后重试。', 429),
  busy: entry(
    '300026',
    'toast',
    'Many changes are being made at once. Nothing was changed; try again in a moment.',
    '当前同时进行的更改较多，本次未做任何更改。请稍后重试。',
    503,
  ),
  database_away: entry(
    '300191',
    'toast',
    'The database does not answer at the moment. What you asked for may have been done or not: wait a moment, look, and try again.',
    '数据库暂时无响应，本次请求可能已执行，也可能未执行。请稍候，核对后重试。',
    503,
  ),
  receipts_busy: entry(
    '300090',
    'toast',
    'Many receipts are being written at this moment. Wait a few seconds and ask for this one again.',
    '当前正在生成的回单较多。请等待几秒后重新获取。',
    503,
  ),
  name_taken: entry(
    '300098',
    'toast',
    'There is "{name}" already, which this name would be taken for. Give another name.',
    '已存在名称“{name}”，与该名称难以区分。请使用其他名称。',
  ),
  request_refused: entry(
    '300007',
    'toast',
    'This request did not come from the console page. Reload the page and try again.',
    '该请求并非来自控制台页面。请刷新页面后重试。',
    403,
  ),
  no_such_call: entry(
    '300008',
    'toast',
    'There is no such call. Check the path and the method against /openapi.json.',
    '该接口不存在。请对照 /openapi.json 检查路径和方法。',
    404,
  ),
  body_too_large: entry(
    '300009',
    'toast',
    'The request is larger than {limit} bytes. Send less at once.',
    '请求超过 {limit} 字节。请减少单次提交的内容。',
    413,
  ),
  unsupported_content: entry(
    '300010',
    'toast',
    'Send the fields form-encoded (application/x-www-form-urlencoded).',
    '请以表单编码（application/x-www-form-urlencoded）提交字段。',
    415,
  ),
  open_token_stale: entry(
    '300011',
    'toast',
    'Your rights or your session have changed. Reload the page and try again.',
    '您的权限或会话已变更。请刷新页面后重试。',
    403,
  ),
  answer_late: entry(
    '300012',
    'toast',
    'The answer took too long, and the result is not known. Look at the list before you try again.',
    '处理超时，结果未知。请先查看列表，再决定是否重试。',
    504,
  ),
  state_changed: entry(
    '300013',
    'toast',
    'This was changed by somebody else in the meantime. Reload it and decide again.',
    '数据已被他人修改。请刷新后重新操作。',
  ),
  resource_not_found: entry(
    '300014',
    'toast',
    'This entry does not exist, or you may not see it. Check the link, or ask an administrator for access.',
    '该记录不存在，或您无权查看。请检查链接，或联系管理员授权。',
  ),

  // Sessions and people
  signed_out: entry('110909', 'logout', 'You are signed out. Sign in again.', '您已退出登录，请重新登录。'),
  not_permitted: entry(
    '110249',
    'not-permitted',
    'Your role does not allow this. Ask an administrator of your organisation for the right "{permission}".',
    '您的角色无权执行此操作。请联系所属组织的管理员开通“{permission}”权限。',
  ),
  organisation_suspended: entry(
    '110924',
    'not-permitted',
    'Your access to this organisation is suspended. Ask its owner to restore it.',
    '您在该组织的访问权限已被停用。请联系组织所有者恢复。',
  ),
  invalid_merchant: entry(
    '100015',
    'not-permitted',
    'This organisation is not known here. Check that you opened the right console.',
    '未找到该组织。请确认您打开的是正确的控制台。',
  ),
  merchant_expired: entry(
    '100016',
    'clear-selection',
    'The package of this organisation has expired. Ask its owner to renew it, then choose the wallet again.',
    '该组织的套餐已过期。请联系所有者续费后重新选择钱包。',
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
    'That did not match. Check what you entered and try again, or sign in with a passkey.',
    '登录信息不匹配。请检查后重试，或使用通行密钥登录。',
  ),
  invite_invalid: entry(
    '300016',
    'toast',
    'This invitation is not valid any more. Ask an administrator for a new one.',
    '该邀请已失效。请联系管理员重新发送。',
  ),
  challenge_expired: entry('300017', 'toast', 'This took too long, or was used already. Start again.', '操作已超时或已被使用。请重新开始。'),
  passkey_refused: entry(
    '300018',
    'toast',
    'This passkey could not be accepted here. Use the one you registered for this console, with screen lock or PIN.',
    '无法使用此通行密钥。请使用在本控制台注册的通行密钥，并通过锁屏或 PIN 验证。',
  ),
  totp_refused: entry(
    '300019',
    'toast',
    'The six-digit code is not right or was used already. Wait for the next code and enter that one.',
    '六位验证码不正确或已使用。请等待下一个验证码后输入。',
  ),
  account_taken: entry('300020', 'toast', 'This account name is taken. Choose another one.', '该账号名已被使用。请更换一个。'),
  password_too_weak: entry(
    '300021',
    'toast',
    'This password is too easy to guess: {reason}. Use at least 12 characters; several unrelated words work well.',
    '密码过于简单：{reason}。请至少使用 12 个字符，几个互不相关的词即可。',
  ),
  organisation_not_ready: entry(
    '300022',
    'toast',
    'This server has no organisation yet. Open the set-up page first.',
    '本服务器尚未创建组织。请先打开初始化页面。',
  ),
  last_method: entry(
    '300023',
    'toast',
    'This is the last way to sign in. Register another one before you remove it.',
    '这是最后一种登录方式。请先注册另一种方式再移除。',
  ),

  sign_in_again: entry(
    '300025',
    'toast',
    'Your ways to sign in can be changed only within ten minutes after signing in. Sign out, sign in again, and try once more.',
    '登录方式只能在登录后十分钟内修改。请退出并重新登录后再试。',
  ),

  // Wallets
  no_wallet_permission: entry(
    '200004',
    'clear-selection',
    'You have no rights in this wallet. Choose another wallet, or ask an administrator to add you.',
    '您没有该钱包的权限。请选择其他钱包，或联系管理员添加。',
  ),
  wallet_not_found: entry(
    '200005',
    'clear-selection',
    'This wallet does not exist, or you may not see it. Choose another wallet.',
    '该钱包不存在或您无权查看。请选择其他钱包。',
  ),
  wallet_changed: entry('200125', 'clear-or-refresh', 'This wallet has changed. Choose it again.', '该钱包已变更。请重新选择。'),
  sub_wallet_being_created: entry(
    '200007',
    'toast',
    'The wallet is still being created. Wait a moment and reload the list.',
    '钱包正在创建中。请稍后刷新列表。',
  ),
  too_many_sub_wallets: entry(
    '200008',
    'toast',
    'This wallet has as many sub-wallets as one key serves. Create another wallet for more.',
    '该钱包的子钱包数量已达单个密钥的上限。如需更多，请新建一个钱包。',
  ),
  coin_address_exists: entry(
    '200011',
    'toast',
    'This wallet already has an address for the coin. Use it, or add another address from the address list.',
    '该钱包已有此币种地址。请直接使用，或在地址列表中新增。',
  ),
  node_configuration: entry(
    '200013',
    'toast',
    'The node of this network is not set up. Ask the operator of the server to configure it.',
    '该网络的节点尚未配置。请联系服务器运维人员配置。',
  ),
  signing_failed: entry(
    '200015',
    'toast',
    'The signers did not produce a signature. Open the order to see which check refused, then decide.',
    '签名方未完成签名。请打开订单查看是哪项检查拒绝，再做决定。',
  ),
  processing: entry('200025', 'toast', 'This is being processed. Wait until it is done; do not send it again.', '正在处理中。请等待完成，不要重复提交。'),
  wallet_expired: entry('200040', 'toast', 'The package of this wallet has expired. Renew it to go on.', '该钱包的套餐已过期。请续费后继续。'),
  name_too_long: entry('200067', 'toast', 'The name is too long. Use at most {limit} characters.', '名称过长。请不要超过 {limit} 个字符。'),
  deposits_closed: entry(
    '300024',
    'toast',
    'Deposits are closed until the recovery kit of this wallet has been verified. Verify the kit first.',
    '恢复包验证通过前，充值保持关闭。请先验证该钱包的恢复包。',
  ),
  coin_application_duplicate: entry('100181', 'silent', 'You have already applied for this coin. Wait for the decision.', '您已申请过该币种。请等待审核结果。'),
  coin_exists: entry('100180', 'silent', 'This coin is already available. Search for it in the list.', '该币种已存在。请在列表中搜索。'),

  ...transferErrors,
  // Notifications
  too_many_receivers: entry('300060', 'toast', 'There are at most {limit} webhook endpoints. Remove one first.', '最多 {limit} 个接收端。请先移除一个。'),

  // Address book, strategies, screening, TRON
  address_duplicate: entry('200137', 'silent', 'This address is already in the book. Open the existing entry.', '该地址已在地址簿中。请打开已有记录。'),
  address_in_approval: entry('200139', 'silent', 'This address is waiting for approval already. Wait for the decision.', '该地址正在审批中。请等待审批结果。'),
  whitelist_deletion: entry(
    '200140',
    'silent',
    'A strategy uses this whitelist entry. Its deletion needs an approval.',
    '策略正在使用该白名单地址。删除需要审批。',
  ),
  strategy_personnel_error: entry(
    '200143',
    'silent',
    'A step of this strategy cannot be filled by the people chosen. Choose people who have the right.',
    '该策略有节点无法由所选人员完成。请选择具备权限的人员。',
  ),
  policy_change_open: entry(
    '300050',
    'toast',
    'A change of the policy waits for approvals already. Decide it or take it back, then propose again.',
    '已有一项策略变更在等待审批。请先完成审批或撤回，再提交新的变更。',
  ),
  key_change_open: entry(
    '300070',
    'toast',
    'An order about this key is on its way already. Decide it or take it back, then propose again.',
    '已有一项针对该密钥的变更正在进行。请先完成审批或撤回，再提交新的变更。',
  ),
  key_change_refused: entry('300071', 'toast', 'The key cannot be changed like this: {reason}.', '密钥不能这样变更：{reason}。'),
  signer_order_open: entry(
    '300073',
    'toast',
    'Such an order to the signers waits already. Decide it or take it back, then ask again.',
    '已有一项同类的签名方指令正在等待处理。请先完成审批或撤回，再重新提交。',
  ),
  signer_order_refused: entry('300074', 'toast', 'The signers cannot be told this: {reason}.', '无法向签名方下达该指令：{reason}。'),
  wallet_retired: entry(
    '300072',
    'toast',
    'The key of this wallet is retired: it pays nothing and gets no new addresses. Use another wallet; what is left here is moved with the recovery tool.',
    '该钱包的密钥已停用，不能付款也不再生成新地址。请使用其他钱包；余留资产请用恢复工具转出。',
  ),
  policy_refused: entry('300051', 'toast', 'The policy cannot be changed like this: {reason}.', '策略不能这样修改：{reason}。'),
  quorum_would_break: entry(
    '300052',
    'toast',
    'This would leave approvals that nobody could complete: {reason}. Propose a change of the policy first.',
    '此操作会使审批无法完成：{reason}。请先提交策略变更。',
  ),
  named_in_policy: entry(
    '300053',
    'toast',
    'The policy still names {name}: {reason}. Propose a change of the policy without this person first, because the signers follow the policy alone.',
    '策略中仍有 {name}：{reason}。签名方只以策略为准，请先提交不含此人的策略变更。',
  ),
  last_owner: entry(
    '300054',
    'toast',
    'This is the last active owner. Make somebody else an owner first.',
    '这是最后一位有效的所有者。请先将其他成员设为所有者。',
  ),
  own_account: entry(
    '300055',
    'toast',
    'You cannot do this to your own account. Ask another owner or administrator.',
    '不能对自己的账号执行此操作。请联系其他所有者或管理员。',
  ),
  owner_only: entry(
    '300056',
    'toast',
    'Only an owner may do this to an owner, or make somebody one. Ask an owner.',
    '只有所有者可以变更所有者或授予所有者角色。请联系所有者。',
  ),
  strategy_rejected: entry('200145', 'silent', 'This change of the strategy was rejected. Open it to see why.', '该策略变更已被拒绝。请打开查看原因。'),
  kyt_duplicate: entry('200170', 'silent', 'This screening request is already running. Wait for the result.', '该风险筛查请求正在进行。请等待结果。'),
  kyt_review_duplicate: entry('100023', 'silent', 'This screening result was already decided. Reload the list.', '该筛查结果已处理。请刷新列表。'),
  tron_no_data: entry('200163', 'silent', 'TRON has no data for this query. Check the address or the period.', '未查询到 TRON 数据。请检查地址或时间范围。'),
  tron_insufficient_fee: entry('200164', 'silent', 'There is not enough TRX for the fee. Top up the fee wallet.', 'TRX 手续费不足。请为手续费钱包充值。'),
  tron_duplicate_request: entry('200166', 'silent', 'This TRON request was sent already. Wait for its result.', '该 TRON 请求已提交。请等待结果。'),
} as const satisfies Record<string, ErrorEntry>

export type ErrorName = keyof typeof errorCatalogue

export const SUCCESS_CODE = '0'
