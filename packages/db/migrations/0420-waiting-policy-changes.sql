-- Until when the signers wait before they follow a change that loosens the policy, as far as they have said; null for one that need not wait.

alter table policy_change add column if not exists waits_until bigint;
grant update (waits_until) on policy_change to holdfast_app;
