-- Whoever changes a plan of collection may be a machine of the policy, by the id under which it stands where orders name people. No person has it.
alter table collecting_plan drop constraint if exists collecting_plan_org_id_changed_by_fkey;

-- Loans of energy have numbers at door two as well.
alter table wire_number drop constraint if exists wire_number_kind_check;
alter table wire_number add constraint wire_number_kind_check check (kind in ('sub_wallet', 'order', 'deposit', 'supply'));
