-- every policy once
select count(*) as policies from policy
