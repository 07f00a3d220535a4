-- policies by the agent who sold them; a policy sold by two agents counts for both, one sold by none stands on its own row
with agent as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'AG'
)
select agent.party_id as agent_id, count(distinct p.Policy_Identifier) as policies
from policy p left join agent on agent.policy_id = p.Policy_Identifier
group by agent.party_id
