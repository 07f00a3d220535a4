-- policies by holder; a policy without a holder stands on a row of its own
with holder as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'PH'
)
select holder.party_id as policy_holder_id, count(distinct p.Policy_Identifier) as policies
from policy p left join holder on holder.policy_id = p.Policy_Identifier
group by holder.party_id
