-- agents, policies of theirs with a claim, and the catastrophes of these; a claim without one leaves an empty cell
with claim_policy as (
  select distinct cc.Claim_Identifier as claim_id, p.Policy_Identifier as policy_id, p.Policy_Number as policy_number
  from claim_coverage cc
  join policy_coverage_detail d on d.Policy_Coverage_Detail_Identifier = cc.Policy_Coverage_Detail_Identifier
    and d.Effective_Date = cc.Effective_Date
  join policy p on p.Policy_Identifier = d.Policy_Identifier
),
agent as (
  select distinct Agreement_Identifier as policy_id, Party_Identifier as party_id
  from agreement_party_role where Party_Role_Code = 'AG'
)
select distinct agent.party_id as agent_id, cp.policy_number, k.Catastrophe_Name as catastrophe
from agent
join claim_policy cp on cp.policy_id = agent.policy_id
join claim c on c.Claim_Identifier = cp.claim_id
left join catastrophe k on k.Catastrophe_Identifier = c.Catastrophe_Identifier
