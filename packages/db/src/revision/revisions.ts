import { APP_ROLE } from '../ensure-roles.ts'

/** What is written to tables without an organisation that reads of an organisation may see. */
const SHARED = '00000000-0000-0000-0000-000000000000'
/** How far chains have been read: with each block, so that it counts apart. */
const HEIGHTS = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
/** No backend has this number. Its row of what is shared says that the triggers are there: without it no revision is said, and no answer is kept. */
const COUNTING = 0
const HEIGHT_TABLES = ['chain_cursor', 'inscription_reading']
const HEIGHT_TABLE = new RegExp(`\\b(${HEIGHT_TABLES.join('|')})\\b`)

/** Asks how far chains have been read; whoever asks says by `restOnHeights` where an answer rests on it. */
export const HEIGHTS_QUESTION = 'select chain, height from chain_cursor'
/** Whether a question is about how far chains have been read, so that its answer rests on that. */
export const isAboutHeights = (text: string): boolean => text !== HEIGHTS_QUESTION && HEIGHT_TABLE.test(text)

/**
 * How much was written so far of what reads of an organisation may see, as `holdfast_shown.revision` says it: of its own rows and of shared ones, then of
 * heights. The same text twice says that nothing was committed between the two moments.
 */
export type Revision = string

/** What of a revision an answer rests on. */
export const partOfRevision = (revision: Revision, readHeights: boolean): string => (readHeights ? revision : (revision.split(' ', 1)[0] ?? ''))

/**
 * The revision of an organisation (ADR 65): each transaction that writes a row raises it by one, visible with its commit. Each connection has a row of its
 * own for each organisation that it writes to, so that no writer waits for another, and the revision is the sum. When a connection writes its first row, it
 * takes over what connections counted that are gone; no sum changes by that. Every name is qualified, as in the other functions.
 *
 * Every table of which the role of organisations may read a column has the triggers, also one that comes with a later release. What a transaction has raised
 * it remembers in a setting, so that its other rows cost a comparison.
 */
export const REVISION_STATEMENTS = [
  `create table if not exists holdfast_private.revision (scope uuid not null, writer integer not null, n bigint not null, primary key (scope, writer))
    with (fillfactor = 50)`,
  `create or replace function holdfast_private.raise_revision() returns trigger language plpgsql security definer as $$
    #variable_conflict use_column
    declare
      named pg_catalog.uuid;
      own pg_catalog.int4 := pg_catalog.pg_backend_pid();
      raised pg_catalog.text := coalesce(pg_catalog.current_setting('app.raised', true), '');
    begin
      if tg_nargs operator(pg_catalog.>) 0 then
        named := tg_argv[0]::pg_catalog.uuid;
      elsif tg_op operator(pg_catalog.=) 'DELETE' then
        named := old.org_id;
      else
        named := new.org_id;
      end if;
      -- A statement that wrote many rows comes here for each of them.
      if pg_catalog.strpos(raised, named::pg_catalog.text) operator(pg_catalog.>) 0 then
        return null;
      end if;
      update holdfast_private.revision r set n = r.n operator(pg_catalog.+) 1
        where r.scope operator(pg_catalog.=) named and r.writer operator(pg_catalog.=) own;
      if not found then
        with gone as (
          delete from holdfast_private.revision g where g.scope operator(pg_catalog.=) named and g.writer operator(pg_catalog.=) any (array(
            select o.writer from holdfast_private.revision o where o.scope operator(pg_catalog.=) named
              and o.writer operator(pg_catalog.<>) ${COUNTING}
              and not exists (select from pg_catalog.pg_stat_activity a where a.pid operator(pg_catalog.=) o.writer) for update of o skip locked))
          returning g.n)
        insert into holdfast_private.revision (scope, writer, n)
          select named, own, (1 operator(pg_catalog.+) coalesce(pg_catalog.sum(gone.n), 0))::pg_catalog.int8 from gone;
      end if;
      perform pg_catalog.set_config('app.raised', pg_catalog.concat(raised, ' ', named), true);
      return null;
    end $$`,
  'revoke execute on function holdfast_private.raise_revision() from public',
  // An organisation learns of its own revision alone, and proves which one it is. A server that took over with less than the former one had is another one.
  `create or replace function holdfast_shown.revision() returns pg_catalog.text language plpgsql stable security definer as $$
    declare
      own pg_catalog.uuid := holdfast_private.organisation();
    begin
      return (select case when pg_catalog.bool_or(r.writer operator(pg_catalog.=) ${COUNTING}) then pg_catalog.concat(
          pg_catalog.date_part('epoch', pg_catalog.pg_postmaster_start_time()), '/',
          coalesce(pg_catalog.sum(r.n) filter (where r.scope operator(pg_catalog.<>) '${HEIGHTS}'), 0), ' ',
          coalesce(pg_catalog.sum(r.n) filter (where r.scope operator(pg_catalog.=) '${HEIGHTS}'), 0)) end
        from holdfast_private.revision r
        where r.scope operator(pg_catalog.=) any (array[own, '${SHARED}'::pg_catalog.uuid, '${HEIGHTS}'::pg_catalog.uuid]));
    end $$`,
  'revoke execute on function holdfast_shown.revision() from public',
  `grant execute on function holdfast_shown.revision() to ${APP_ROLE}`,
  `do $$
    declare
      each record;
      shared text;
    begin
      -- A distributed engine has no triggers.
      if exists (select from pg_extension where extname = 'citus') then
        return;
      end if;
      for each in
        select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped) as is_owned
        from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and has_any_column_privilege('${APP_ROLE}', c.oid, 'select')
          and not exists (select from pg_trigger t where t.tgrelid = c.oid and t.tgname = 'revision_written')
      loop
        shared := case when each.is_owned then '' when each.name in (${HEIGHT_TABLES.map((name) => `'${name}'`).join()}) then '${HEIGHTS}' else '${SHARED}' end;
        execute format('create trigger revision_written after insert or update on public.%I for each row
            when (coalesce(strpos(current_setting(''app.raised'', true), %s), 0) = 0) execute function holdfast_private.raise_revision(%s)',
          each.name, case when each.is_owned then 'new.org_id::text' else quote_literal(shared) end, case when each.is_owned then '' else quote_literal(shared) end);
        execute format('create trigger revision_gone after delete on public.%I for each row
            when (coalesce(strpos(current_setting(''app.raised'', true), %s), 0) = 0) execute function holdfast_private.raise_revision(%s)',
          each.name, case when each.is_owned then 'old.org_id::text' else quote_literal(shared) end, case when each.is_owned then '' else quote_literal(shared) end);
      end loop;
      -- A chain that was read back shows fewer blocks above what was final, which answers count on as never changing.
      if to_regclass('public.chain_cursor') is not null and not exists (select from pg_trigger where tgrelid = 'public.chain_cursor'::regclass and tgname = 'revision_back')
      then
        create trigger revision_back after update on public.chain_cursor for each row when (new.height < old.height)
          execute function holdfast_private.raise_revision('${SHARED}');
      end if;
      insert into holdfast_private.revision (scope, writer, n) values ('${SHARED}', ${COUNTING}, 0) on conflict do nothing;
    end $$`,
]
